import type { Activation } from '#contract/activations.ts';
import type { Usage } from '#contract/usage.ts';
import type { Day } from '#domain/day.ts';

/** One activation and what was counted for it. */
export interface ActivationReport {
  activation: Activation;
  insights: Usage['insights'];
}

/** Calls counted a day, of one activation. */
export interface Series {
  activationId: string;
  service: string;
  graph: readonly { x: Day; y: number }[];
}

/** The calls of a day, by activation. */
export interface ReportDay {
  day: Day;
  byActivation: Record<string, number>;
  total: number;
}

/**
 * Day by day, all series side by side. It begins where the last of them begins: before that day the sum would leave one out
 * and look like less use.
 */
export function reportDays(series: readonly Series[]): ReportDay[] {
  const begins = series.flatMap(({ graph }) => graph[0]?.x ?? []);
  const from = begins.reduce<Day>((latest, day) => (day > latest ? day : latest), '');
  const days = new Map<Day, ReportDay>();
  for (const { activationId, graph } of series) {
    for (const { x, y } of graph) {
      if (x < from) continue;
      const day = days.get(x) ?? { day: x, byActivation: {}, total: 0 };
      days.set(x, {
        day: x,
        byActivation: { ...day.byActivation, [activationId]: y },
        total: day.total + y,
      });
    }
  }
  return [...days.values()].toSorted((a, b) => a.day.localeCompare(b.day));
}
