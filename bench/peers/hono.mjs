// A front as it is often written: a Hono application that passes requests on with its proxy helper.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { serveBench } from '../servers/control.mjs';

const app = new Hono();
app.all('/*', ({ req }) => proxy(`${process.env.UPSTREAM}${req.path}`, { raw: req.raw }));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => serveBench({ port }));
