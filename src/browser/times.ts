export const SETTLE_MS = 50;
export const RETRY_MS = 1_000;
export const HOUR_MS = 3_600_000;
export const DAY_SECONDS = 86_400;
