import { describe, expect, it } from 'vitest';
import { estimateImportTime, type LatencyByRequest, predictLatencies } from '../../../src/app/plan/time.ts';

const none: LatencyByRequest = new Map();
const took = { busyMs: 100, beginMs: 500, sentReads: 0 };
const latency = (mean: number, answers = 100) => ({ mean, least: mean / 2, answers });
const pace = (latencies: LatencyByRequest) => ({ perPath: 5, concurrency: 10, latencies });

describe('how long a plan takes', () => {
  it('at a rate limit: requests of one path, five a second after the first five', () => {
    const merges = [{ request: 'POST /contact/merge', count: 105 }];
    const { leastSeconds, likelySeconds, bottleneck } = estimateImportTime(merges, [], took, pace(none));
    expect([leastSeconds, likelySeconds]).toEqual([20, null]);
    expect(bottleneck).toEqual({ kind: 'rate', request: 'POST /contact/merge', requests: 105 });
    const measured = new Map([['POST /contact/merge', latency(20)]]);
    expect(estimateImportTime(merges, [], took, pace(measured)).likelySeconds).toBeCloseTo(0.5 + 20 * 1.06);
  });

  it('contacts have paths of their own, so only the answers are waited for', () => {
    const writes = [{ request: 'POST /contact/{identifier}', count: 1_000 }];
    const reads = [{ request: 'GET /contact/{identifier}', count: 2_000 }];
    const measured = new Map([
      ['POST /contact/{identifier}', latency(200)],
      ['GET /contact/{identifier}', latency(100)],
    ]);
    const { leastSeconds, likelySeconds, bottleneck } = estimateImportTime(
      writes,
      reads,
      took,
      pace(measured),
    );
    expect([leastSeconds, likelySeconds]).toEqual([20, 40.5]);
    expect(bottleneck).toEqual({ kind: 'latency', request: null, requests: 3_000 });
  });

  it('a create of a tag that may be needed counts half, and not at all for the least', () => {
    const tags = [{ request: 'POST /space/tag', count: 0, perhaps: 210 }];
    const measured = new Map([['PUT /space/tag', latency(1)]]);
    const { leastSeconds, likelySeconds } = estimateImportTime(tags, [], took, pace(measured));
    expect(leastSeconds).toBe(0);
    expect(likelySeconds).toBeCloseTo(0.5 + 20 * 1.06);
  });

  it('what is found out ramps up to what was found before, and the least is for as many as there ever may be', () => {
    const reads = [{ request: 'GET /contact/{identifier}', count: 20_480 }];
    const measured = new Map([['GET /contact/{identifier}', latency(200)]]);
    const auto = (found?: number) =>
      estimateImportTime([], reads, took, { ...pace(measured), concurrency: 'auto', found });
    expect(auto().leastSeconds).toBe(4);
    expect(auto().likelySeconds).toBeGreaterThan(0.5 + 8);
    expect(auto().likelySeconds).toBeLessThan(0.5 + 10);
    expect(auto(64).leastSeconds).toBe(4);
    expect(auto(64).likelySeconds).toBeGreaterThan(0.5 + 64);
    expect(auto(64).likelySeconds).toBeLessThan(0.5 + 65);
  });

  it('a write that the plan has answered itself takes this machine longer when it is sent', () => {
    const writes = [{ request: 'POST /contact/{identifier}', count: 1_000 }];
    const reads = [{ request: 'GET /contact/{identifier}', count: 1_000 }];
    const measured = new Map([['GET /contact/{identifier}', latency(1)]]);
    const seconds = (sentReads: number) =>
      estimateImportTime(writes, reads, { busyMs: 7_000, beginMs: 0, sentReads }, pace(measured))
        .likelySeconds;
    expect(seconds(2_000)).toBe(7);
    expect(seconds(1_000)).toBeCloseTo(10.2, 1);
    expect(seconds(0)).toBeCloseTo(18.9);
  });

  it('at least what this machine takes', () => {
    const measured = new Map([['GET /contact/{identifier}', latency(1)]]);
    const { likelySeconds, bottleneck } = estimateImportTime(
      [],
      [],
      { busyMs: 60_000, beginMs: 0, sentReads: 0 },
      pace(measured),
    );
    expect([likelySeconds, bottleneck.kind]).toEqual([60, 'machine']);
  });
});

describe('what answers take now', () => {
  it('writes are as much slower as reads have become', () => {
    const earlier = new Map([
      ['GET /contact/{identifier}', latency(100)],
      ['POST /contact/merge', latency(50)],
    ]);
    const now = predictLatencies(earlier, new Map([['GET /contact/{identifier}', latency(200)]]));
    expect(now.get('GET /contact/{identifier}')?.mean).toBe(200);
    expect(now.get('POST /contact/merge')?.mean).toBe(100);
  });

  it('a few answers say nothing, and without an earlier import nothing is known of writes', () => {
    const few = new Map([['GET /contact/{identifier}', latency(200, 3)]]);
    const earlier = new Map([['GET /contact/{identifier}', latency(100)]]);
    expect(predictLatencies(earlier, few).get('GET /contact/{identifier}')?.mean).toBe(100);
    expect(predictLatencies(none, few).size).toBe(0);
  });
});
