import { type Day, addDays } from '#shared/domain/day.ts';

/** The bar of a day; today's has its own series, and so its own colour. */
export interface ChartBar {
  day: Day;
  requests: number;
  today: number;
}

/** Where the chart ends, and its lines at 20 % steps (product §7.6). */
export interface ChartScale {
  /** 0 if not given. */
  min?: number;
  max: number;
  ticks: number[];
}

/**
 * The chart reaches to the daily limit, so that a bar's height is its share of the quota; without a limit, or when a day of
 * an earlier plan went above it, to just above the highest day.
 */
export function chartScale(limit: number, values: readonly number[]): ChartScale {
  const highest = Math.max(0, ...values);
  if (limit > 0 && limit >= highest) return { max: limit, ticks: [0, 1, 2, 3, 4, 5].map((part) => (part * limit) / 5) };
  const step = stepFor(highest);
  const count = Math.max(leastSteps, Math.ceil(highest / step));
  return { max: count * step, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) };
}

/** The same without a limit, for values of which some may be below zero. */
export function signedScale(values: readonly number[]): ChartScale {
  const [, step = 1] = chartScale(0, values.map(Math.abs)).ticks;
  const first = Math.floor(Math.min(0, ...values) / step);
  const last = Math.max(1, Math.ceil(Math.max(0, ...values) / step));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { min: first * step, max: last * step, ticks };
}

/** The bars of a graph with today in its own series. */
export function chartBars(graph: readonly { x: Day; y: number }[], today: Day): ChartBar[] {
  return graph.map(({ x, y }) => ({ day: x, requests: x === today ? 0 : y, today: x === today ? y : 0 }));
}

/** The days that are labelled below the bars: every n-th counted from today, so that there are about `most` labels. */
export function axisDays(days: readonly Day[], today: Day, most: number): Day[] {
  const step = Math.ceil(days.length / most);
  const anchor = Math.max(0, days.indexOf(today));
  return days.filter((_, index) => Math.abs(index - anchor) % step === 0);
}

/** The graph padded with future days, so that a cycle's first days do not look lost. */
export function withDaysToCome(graph: readonly { x: Day; y: number }[], atLeast: number): { x: Day; y: number }[] {
  const last = graph.at(-1);
  if (last === undefined) return [];
  const missing = Math.max(0, atLeast - graph.length);
  return [...graph, ...Array.from({ length: missing }, (_, index) => ({ x: addDays(last.x, index + 1), y: 0 }))];
}

/** Average, highest and total of the days. */
export function chartFacts(graph: readonly { x: Day; y: number }[]): {
  average: number;
  highest: { x: Day; y: number } | undefined;
  total: number;
} {
  const total = graph.reduce((sum, { y }) => sum + y, 0);
  const highest = graph.reduce<{ x: Day; y: number } | undefined>(
    (best, each) => (best === undefined || each.y > best.y ? each : best),
    undefined,
  );
  return { average: graph.length === 0 ? 0 : Math.round(total / graph.length), highest, total };
}

const leastSteps = 3;
const mostSteps = 6;

/** The least of 1, 2, 5, 10, 20, 50 … that needs at most six steps: the highest bar fills three quarters of the chart or more. */
function stepFor(value: number): number {
  for (let scale = 1; ; scale *= 10) {
    const fit = [1, 2, 5].find((factor) => factor * scale * mostSteps >= value);
    if (fit !== undefined) return fit * scale;
  }
}
