// Started and killed by tests: runs PostgreSQL on a given folder, prints its pid and waits.
import { startPostgres } from '../embedded-postgres/start-postgres';

const running = await startPostgres({ dataDir: process.argv[2] ?? '', durable: false });
process.stdout.write(`${running.pid()}\n`);
setInterval(() => undefined, 60_000);
