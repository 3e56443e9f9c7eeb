import { Gauge } from 'prom-client';
import type { Db } from '#shared/database/connect.ts';
import { databaseTime } from '#shared/database/expressions.ts';
import type { Metrics } from '#shared/platform/metrics.ts';

/** What the doctor found when a timer last started it. */
export function measureDoctor(metrics: Metrics, { db }: { db: Db }): void {
  metrics.registerMetric(
    new Gauge({
      name: 'octroi_doctor_complaints',
      help: 'Checks of the doctor that complain, by their worst level and the place where it looked; every portal reports the same',
      labelNames: ['place', 'check', 'level'],
      async collect() {
        this.reset();
        const runs = await db.selectFrom('doctor_runs').select(['place', 'complaints']).execute();
        for (const { place, complaints } of runs)
          for (const [check, level] of Object.entries(complaints)) this.set({ place, check, level }, 1);
      },
      registers: [],
    }),
  );
  metrics.registerMetric(
    new Gauge({
      name: 'octroi_doctor_age_seconds',
      help: 'Time since the doctor looked at a place',
      labelNames: ['place'],
      async collect() {
        this.reset();
        const runs = await db
          .selectFrom('doctor_runs')
          .select(['place', 'examined_at', databaseTime.as('now')])
          .execute();
        for (const { place, examined_at: at, now } of runs) this.set({ place }, (now.getTime() - at.getTime()) / 1000);
      },
      registers: [],
    }),
  );
}
