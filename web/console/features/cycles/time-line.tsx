import { Skeleton } from '@mantine/core';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { type Mark, type MarkKind, timeLineLayout } from '#web/console/features/cycles/time-line-layout.ts';
import classes from '#web/console/features/cycles/time-line.module.css';
import { ProductName } from '#web/console/ui/cells.tsx';
import { Part } from '#web/console/ui/page.tsx';
import { dayText, periodText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { Loaded } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';

type Customer = OperatorReply<'readCustomer'>;

const markNames: Record<MarkKind, string> = {
  paid: 'Payment',
  failed: 'Failed payment',
  refund: 'Refund',
  grant: 'Granted',
};
const markSigns: Record<MarkKind, string> = { paid: '₹', failed: '×', refund: '↩', grant: '+' };

/** More of a customer would be too narrow to see. */
const shown = 200;

/** The plans of a customer in time. A picture: the tables of plans, payments and refunds say the same to a screen reader. */
export function TimeLine({ customer }: { customer: Customer }) {
  const input = { customerId: customer.id, limit: shown };
  const cycles = useOperatorCall('listCycles', input);
  const refunds = useOperatorCall('listRefunds', input);
  return (
    <Part title="Time line">
      <Loaded
        of={cycles}
        word="Loading"
        failed="The plans could not be read"
        shape={<Skeleton height={120} radius="lg" />}
      >
        {(plans) => (
          <Loaded
            of={refunds}
            word="Loading"
            failed="The refunds could not be read"
            shape={<Skeleton height={120} radius="lg" />}
          >
            {(paidBack) => <Picture customer={customer} cycles={plans.cycles} refunds={paidBack.refunds} />}
          </Loaded>
        )}
      </Loaded>
    </Part>
  );
}

function Picture(facts: {
  customer: Customer;
  cycles: OperatorReply<'listCycles'>['cycles'];
  refunds: OperatorReply<'listRefunds'>['refunds'];
}) {
  const today = useToday();
  const { months, rows, blocks, today: now } = timeLineLayout(facts, today);
  if (rows.length === 0) return <p className="soft">No plan was chosen yet.</p>;
  const kinds = new Set(rows.flatMap(({ marks }) => marks.map(({ kind }) => kind)));
  return (
    <figure
      className={classes.figure}
      aria-label={`${facts.cycles.length} plans and packs in time. The table below lists them, and Money the payments and refunds.`}
    >
      <div className={classes.picture} aria-hidden>
        <div className={classes.months} data-many={months.length > 4 || undefined}>
          {months.map(({ label, left }) => (
            <span key={left} style={{ left: `${left}%` }}>
              {label}
            </span>
          ))}
        </div>
        {rows.map(({ id, productId, segments, lanes, marks }) => (
          <div key={id} className={classes.row}>
            <div className={classes.product}>
              <ProductName id={productId} />
            </div>
            <div className={classes.track} style={{ height: `${lanes * 26 + 22}px` }}>
              {blocks.map(({ segment, left, width }) => (
                <i
                  key={segment.id}
                  className={classes.block}
                  title={`Blocked, ${periodText(segment)}`}
                  style={{ left: `${left}%`, width: `max(${width}%, 3px)` }}
                />
              ))}
              {segments.map(({ segment, left, width, lane }) => (
                <span
                  key={segment.id}
                  className={classes.bar}
                  data-look={segment.look}
                  title={`${segment.name}, ${periodText(segment)}`}
                  style={{ left: `${left}%`, width: `max(${width}%, 3px)`, top: `${lane * 26}px` }}
                >
                  {segment.name}
                </span>
              ))}
              {marks.map((mark) => (
                <i
                  key={mark.id}
                  className={classes.mark}
                  data-kind={mark.kind}
                  title={markText(mark)}
                  style={{ left: `${mark.left}%` }}
                >
                  {markSigns[mark.kind]}
                </i>
              ))}
              <i className={classes.now} title={`Today, ${dayText(today)}`} style={{ left: `${now}%` }} />
            </div>
          </div>
        ))}
      </div>
      <figcaption className={classes.legend} aria-hidden>
        {[...kinds].map((kind) => (
          <span key={kind}>
            <i className={classes.mark} data-kind={kind}>
              {markSigns[kind]}
            </i>
            {markNames[kind]}
          </span>
        ))}
        {blocks.length === 0 ? null : (
          <span>
            <i className={classes.blockSign} /> Blocked
          </span>
        )}
        <span>
          <i className={classes.nowSign} /> Today
        </span>
      </figcaption>
    </figure>
  );
}

const markText = ({ kind, on, amount }: Mark): string =>
  `${markNames[kind]}${amount === null ? '' : ` of ${moneyText(amount)}`}, ${dayText(on)}`;
