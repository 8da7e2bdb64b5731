// Faults of the database server: busy, crashed, restarted.
import { setTimeout as sleep } from 'node:timers/promises';
import { testFaults } from './fault-suite';

testFaults('server', {
  'leaves no connection free': {
    async inject({ sql }) {
      // The table lock blocks every statement on accounts, until all pool connections are in use.
      await sql.begin(async (tx) => {
        await tx`lock table accounts in access exclusive mode`;
        await sleep(12_000);
      });
    },
    wasFelt: ({ refused }) => refused > 0,
  },
  'is killed': {
    inject: (gateway) => gateway.restartDatabase('SIGKILL'),
    wasFelt: ({ connections }) => connections > 0,
  },
  'is shut down fast and restarted': {
    inject: (gateway) => gateway.restartDatabase('SIGINT'),
    wasFelt: ({ connections }) => connections > 0,
  },
});
