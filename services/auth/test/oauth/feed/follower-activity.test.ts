import { describe, expect, test } from '@jest/globals';
import { FollowerActivity, type FollowerReport } from '../../../src/oauth/feed/domain/follower-activity.ts';
import { FollowerReports } from '../../../src/oauth/feed/domain/follower-reports.ts';

const followed = { tenant: 'demo', clientId: 'orders', audience: 'https://orders.example' };

class Clock {
  now = 1_000;
  readonly read = () => this.now;
  readonly advance = (milliseconds: number) => {
    this.now += milliseconds;
  };
}

function start() {
  const clock = new Clock();
  return { clock, activity: new FollowerActivity(clock.read) };
}

describe('the number of followers', () => {
  test('A follower that holds one request at a time counts once.', () => {
    const { clock, activity } = start();
    for (let n = 0; n < 10; n += 1) {
      const note = activity.hold(followed);
      clock.advance(990);
      note.end();
      clock.advance(10);
    }
    expect(activity.report()[0]?.followers).toBeCloseTo(0.99);
  });

  test('A follower whose requests alternate between two processes counts once in their sum.', () => {
    const clock = new Clock();
    const processes = [new FollowerActivity(clock.read), new FollowerActivity(clock.read)];
    for (const activity of processes) activity.answered(followed);
    for (let n = 0; n < 10; n += 1) {
      const note = processes[n % 2]?.hold(followed);
      clock.advance(1_000);
      note?.end();
    }
    const reports = processes.flatMap((activity) => activity.report());
    expect(reports.map(({ followers }) => followers)).toEqual([0.5, 0.5]);
  });

  test('A report counts only the time since the previous one.', () => {
    const { clock, activity } = start();
    const notes = [activity.hold(followed), activity.hold(followed)];
    clock.advance(10_000);
    expect(activity.report()[0]?.followers).toBe(2);
    notes[0]?.end();
    clock.advance(10_000);
    expect(activity.report()[0]?.followers).toBe(1);
  });

  test('Time that passes while a report is made does not count.', () => {
    let now = 0;
    const activity = new FollowerActivity(() => (now += 1));
    activity.hold(followed);
    expect(activity.report()[0]?.followers).toBe(1);
    activity.hold(followed);
    expect(activity.report()[0]?.followers).toBe(1.5);
    expect(activity.report()[0]?.followers).toBe(2);
  });
});

describe('the lag', () => {
  test('A held request without entries does not lag.', () => {
    const { clock, activity } = start();
    activity.hold(followed);
    clock.advance(9_000);
    expect(activity.report()).toEqual([{ ...followed, followers: 1, isFollowing: true, lagMs: 0 }]);
  });

  test('The lag of a client is that of its slowest stream.', () => {
    const { clock, activity } = start();
    activity.hold(followed).behind();
    clock.advance(3_000);
    const second = activity.hold(followed);
    second.behind();
    second.behind();
    clock.advance(2_000);
    expect(activity.report()).toMatchObject([{ isFollowing: true, lagMs: 5_000 }]);
  });

  test('A stream that has received everything does not lag.', () => {
    const { clock, activity } = start();
    const note = activity.hold(followed);
    note.behind();
    clock.advance(3_000);
    note.caughtUp();
    clock.advance(2_000);
    expect(activity.report()).toMatchObject([{ lagMs: 0 }]);
  });

  test('A client without a held request lags since its last response, and no longer follows after 5 seconds.', () => {
    const { clock, activity } = start();
    activity.answered(followed);
    clock.advance(5_000);
    expect(activity.report()).toMatchObject([{ followers: 0, isFollowing: true, lagMs: 5_000 }]);
    clock.advance(1);
    expect(activity.report()).toMatchObject([{ followers: 0, isFollowing: false, lagMs: 5_001 }]);
    expect(activity.report()).toEqual([]);
  });

  test('A stream that ends before it has received everything is no answer.', () => {
    const { activity } = start();
    const note = activity.hold(followed);
    note.behind();
    note.end();
    expect(activity.report()).toEqual([]);
  });
});

describe('reports', () => {
  test('A process without followers saves nothing, and one with followers of several clients saves once per report.', async () => {
    const { activity } = start();
    const saved: (readonly FollowerReport[])[] = [];
    const reports = new FollowerReports({ activity, save: async (them) => void saved.push(them) });
    await reports.write();
    expect(saved).toEqual([]);
    for (const clientId of ['a', 'b', 'c']) activity.hold({ ...followed, clientId });
    activity.hold({ ...followed, audience: 'urn:example:other' });
    await reports.write();
    expect(saved.map((them) => them.length)).toEqual([4]);
    await reports.end();
    expect(saved[1]?.map(({ followers, isFollowing }) => [followers, isFollowing])).toEqual(
      Array.from({ length: 4 }, () => [0, false]),
    );
  });
});
