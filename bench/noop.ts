import { Hono } from 'hono';

// The baseline of all comparisons: the least a Hono Worker can do to return JSON.

const app = new Hono();
app.get('/', (c) => c.json({ success: true }));

export default app;
