import { expect, it } from 'vitest';
import { LostCallTurns } from './lost-call-turns';

const ALONE_MS = 1_000;
const STEP_MS = 10;
const LOST = { attempts: 3 };
const OTHER = { attempts: 1 };

function createTurns() {
  let isWaiting = true;
  let now = 0;
  let asked = 0;
  const turns = new LostCallTurns(ALONE_MS, () => now);
  const choose = (...runs: { attempts: number }[]) =>
    turns.choose(runs, async () => {
      asked++;
      return isWaiting;
    });
  const setWaiting = (value: boolean) => {
    isWaiting = value;
  };
  return { choose, setWaiting, wait: (ms: number) => (now += ms), countAsked: () => asked };
}

it('others start first in a new process, then one that was lost twice', async () => {
  const { choose, wait } = createTurns();
  expect(await choose()).toBe('queued');
  wait(ALONE_MS);
  expect(await choose()).toBe('lost');
  expect(await choose(LOST)).toBe('none');
});

it('one that was lost twice waits for those that run, but not longer than its turn', async () => {
  const { choose, wait } = createTurns();
  wait(ALONE_MS);
  expect(await choose(OTHER)).toBe('none');
  wait(ALONE_MS - 1);
  expect(await choose(OTHER)).toBe('none');
  wait(1);
  expect(await choose(OTHER)).toBe('lost');
});

it('others join one that has survived its turn alone', async () => {
  const { choose, wait } = createTurns();
  wait(ALONE_MS);
  expect(await choose()).toBe('lost');
  wait(ALONE_MS - 1);
  expect(await choose(LOST)).toBe('none');
  wait(1);
  expect(await choose(LOST)).toBe('queued');
});

it('several that were lost twice run one by one in a turn, and others as soon as none waits', async () => {
  const { choose, wait, setWaiting } = createTurns();
  wait(ALONE_MS);
  for (let call = 0; call < 3; call++) {
    expect(await choose()).toBe('lost');
    expect(await choose(LOST)).toBe('none');
    wait(ALONE_MS / 4);
  }
  setWaiting(false);
  expect(await choose()).toBe('queued');
});

it('others have at least as much time as they waited, however many were lost twice @F7', async () => {
  const { choose, wait } = createTurns();
  let waited = 0;
  let longest = 0;
  let stopped = 0;
  let lostUntil = -1;
  for (let now = 0; now < 100 * ALONE_MS; now += STEP_MS) {
    // Each runs for three turns, and a call of another account always runs.
    const turn = await choose(OTHER, ...(now < lostUntil ? [LOST] : []));
    if (turn === 'lost') lostUntil = now + 3 * ALONE_MS;
    waited = turn === 'queued' ? 0 : waited + STEP_MS;
    stopped += turn === 'queued' ? 0 : STEP_MS;
    longest = Math.max(longest, waited);
    wait(STEP_MS);
  }
  expect(longest).toBeLessThanOrEqual(2 * ALONE_MS + STEP_MS);
  expect(stopped).toBeLessThanOrEqual(50 * ALONE_MS);
});

it('asks for one now and then, not with each take', async () => {
  const { choose, wait, countAsked, setWaiting } = createTurns();
  setWaiting(false);
  for (let now = 0; now < 10 * ALONE_MS; now += STEP_MS) {
    expect(await choose(OTHER)).toBe('queued');
    wait(STEP_MS);
  }
  expect(countAsked()).toBeLessThanOrEqual(100);
});
