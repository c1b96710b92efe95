import { Hono } from 'hono';

// What everything is compared with: the least that a Hono Worker does to answer JSON.

const app = new Hono();
app.get('/', (c) => c.json({ success: true }));

export default app;
