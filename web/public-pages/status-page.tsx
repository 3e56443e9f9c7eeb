import {
  type ApiState,
  type ApiStatus,
  type PublicPage,
  type PublicProduct,
  type StatusNow,
  publicAddress,
  statusDays,
} from '#shared/contract/public-pages.ts';
import { addDays } from '#shared/domain/day.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import type { PageContent } from '#web/public-pages/page-content.ts';
import classes from '#web/public-pages/status-page.module.css';
import { statusPageTexts as texts } from '#web/public-pages/status-texts.ts';
import { dayText, instantText } from '#web/ui/localized-days.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Section } from '#web/ui/section.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** Whether each API can be used now, and could in the last 90 days. */
export function statusPage(page: PublicPage, products: readonly PublicProduct[], status: StatusNow): PageContent {
  const { providerName } = page.config;
  const shown = products.map((product) => ({
    product,
    status: status.apis.find(({ productId }) => productId === product.id) ?? unknown(product.id),
  }));
  return {
    title: texts.title,
    description: texts.description(providerName),
    Main: () => (
      <>
        <PageHead title={texts.title} lead={<Summary of={shown.map((each) => each.status)} />} />
        {shown.map((each) => (
          <OneApi key={each.product.id} page={page} today={status.today} {...each} />
        ))}
        <p className="soft">{texts.how}</p>
      </>
    ),
  };
}

const unknown = (productId: string): ApiStatus => ({
  productId,
  state: 'unknown',
  isAsked: true,
  checkedAt: null,
  days: [],
});

/** The worst of all first: that is what a visitor came for. */
function Summary({ of: all }: { of: readonly ApiStatus[] }) {
  const worst = (['down', 'degraded', 'unknown'] as const).find((state) => all.some((each) => each.state === state));
  const checked = all.flatMap(({ checkedAt }) => checkedAt ?? []).toSorted();
  const last = checked.at(-1);
  return (
    <>
      {texts.summary[worst ?? 'up']} {last === undefined ? null : texts.checkedAt(instantText(last))}
    </>
  );
}

/** The looks of the badge, by statuses that have them. */
const badges: Readonly<Record<ApiState, string>> = { up: 'ACTIVE', degraded: 'PENDING', down: 'FAILED', unknown: '' };

function OneApi({
  page,
  product,
  status,
  today,
}: {
  page: PublicPage;
  product: PublicProduct;
  status: ApiStatus;
  today: string;
}) {
  const { state, isAsked, days } = status;
  const checks = days.reduce((sum, day) => sum + day.checks, 0);
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  const bad = days.filter((day) => day.failed > 0).toReversed();
  return (
    <Section title={product.name} end={<StatusBadge status={badges[state]} text={texts.states[state]} />}>
      <Strip days={days} today={today} />
      <p className={classes.sum}>
        {checks === 0
          ? texts.noData
          : texts.sum(share(checks - failed, checks), formatNumber(checks), texts.daysChecked(days.length))}{' '}
        {isAsked ? null : texts.gatewayOnly}{' '}
        <a className="link" href={publicAddress(`/apis/${product.id}`, page.language)}>
          {texts.about(product.name)}
        </a>
      </p>
      {bad.length === 0 ? null : (
        <details className={classes.bad}>
          <summary>{texts.badDays(bad.length)}</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.day}</th>
                <th scope="col">{texts.failedChecks}</th>
                <th scope="col">{texts.allChecks}</th>
              </tr>
            </thead>
            <tbody>
              {bad.map((each) => (
                <tr key={each.day}>
                  <th scope="row">{dayText(each.day)}</th>
                  <td className="num">{formatNumber(each.failed)}</td>
                  <td className="num">{formatNumber(each.checks)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </Section>
  );
}

/** 99.98%: never 100 when a check failed. */
function share(good: number, all: number): string {
  return `${Math.floor((good / all) * 10_000) / 100}%`;
}

/** Of a day: half an hour of a whole day is an outage. */
const downShare = 30 / 1440;

const width = 8;

/** A bar for each day; its words are in the label, and the days with failures in the table below. */
function Strip({ days, today }: { days: ApiStatus['days']; today: string }) {
  const known = new Map(days.map((each) => [each.day, each]));
  const all = Array.from({ length: statusDays }, (_, index) => addDays(today, index + 1 - statusDays));
  return (
    <>
      <svg
        className={classes.strip}
        viewBox={`0 0 ${statusDays * width - 2} 32`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.strip(days.length, days.filter(({ failed }) => failed > 0).length)}
      >
        {all.map((day, index) => {
          const found = known.get(day);
          const look =
            found === undefined
              ? 'none'
              : found.failed === 0
                ? 'up'
                : found.failed / found.checks < downShare
                  ? 'some'
                  : 'down';
          return (
            <rect key={day} x={index * width} width={width - 2} height={32} className={classes[look]}>
              <title>
                {found === undefined
                  ? texts.notChecked(dayText(day))
                  : texts.ofDay(dayText(day), formatNumber(found.failed), formatNumber(found.checks))}
              </title>
            </rect>
          );
        })}
      </svg>
      <div className={classes.ends} aria-hidden="true">
        <span>{dayText(all[0] ?? today)}</span>
        <span>{texts.today}</span>
      </div>
    </>
  );
}
