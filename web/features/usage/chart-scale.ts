import { type Day, addDays } from '#domain/day.ts';

/** The bar of a day; today's has its own series, and so its own colour. */
export interface ChartBar {
  day: Day;
  requests: number;
  today: number;
}

/** Where the chart ends, and its lines at 20 % steps (product §7.6). */
export interface ChartScale {
  max: number;
  ticks: number[];
}

/**
 * The chart reaches to the daily limit, so that a bar's height is its share of the quota; without a limit, or when a day of
 * an earlier plan went above it, to the next number that five parts divide well.
 */
export function chartScale(limit: number, values: readonly number[]): ChartScale {
  const highest = Math.max(0, ...values);
  const max = limit >= highest && limit > 0 ? limit : roundedUp(highest);
  return { max, ticks: [0, 1, 2, 3, 4, 5].map((step) => (step * max) / 5) };
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

/** 5 at least; else the next of 5, 10, 20, 25, 50 … hundreds and so on that is not below. */
function roundedUp(value: number): number {
  const factors = [5, 10, 20, 25, 50];
  for (let scale = 1; ; scale *= 10) {
    const fit = factors.find((factor) => factor * scale >= value);
    if (fit !== undefined) return fit * scale;
  }
}
