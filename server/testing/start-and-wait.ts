// A process of its own for the tests that kill one: starts PostgreSQL on the folder it is given, says its pid, waits.
import { startPostgres } from '../main/boot/embedded-postgres/start-postgres';

const running = await startPostgres({ dataDir: process.argv[2] ?? '', durable: false });
process.stdout.write(`${running.pid()}\n`);
setInterval(() => undefined, 60_000);
