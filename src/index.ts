import { app } from './http/app.ts';

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
