import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../src/domain/calendar.ts';
import type { ServerProcess } from './server-process.ts';
import { RETENTION_DAYS } from './shops.ts';

const EVERY_MS = 150;

/** A program retires clicks once a day, so each run is a day later, when everything that was stored is too old. */
export class DailyRetirement {
	#days = 0;

	once(server: ServerProcess): Promise<unknown> {
		this.#days += 1;
		return server.retire(Date.now() + (RETENTION_DAYS + 1 + this.#days) * DAY_MS);
	}

	/** Retires clicks again and again until the server dies. */
	async untilKilled(server: ServerProcess): Promise<void> {
		for (;;) {
			const isAlive = await this.once(server).then(
				() => true,
				() => false,
			);
			if (!isAlive) return;
			await sleep(EVERY_MS);
		}
	}
}
