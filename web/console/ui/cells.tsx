import { Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import { useProductName } from '#web/console/api/use-operator.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { dayOfInstant, dayText, instantText, shortDayText, timeText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { serverNow } from '#web/ui/server-time.ts';
import { useToday } from '#web/ui/today.ts';

/** A moment or a day. */
export const whenText = (when: string) => (when.length > 10 ? instantText(when) : dayText(when));

/** A moment or a day, short where it is of this year, and in full for who points at it. */
export function When({ at }: { at: string }) {
  const today = useToday();
  const isMoment = at.length > 10;
  const day = isMoment ? dayOfInstant(at) : at;
  const shownDay = day === today ? 'Today' : day.slice(0, 4) === today.slice(0, 4) ? shortDayText(day) : dayText(day);
  return (
    <Tooltip label={whenText(at)}>
      <time dateTime={at} className="num">
        {isMoment ? `${shownDay}, ${timeText(at).slice(0, 5)}` : shownDay}
      </time>
    </Tooltip>
  );
}

const minuteMs = 60_000;

/** How long ago a moment was, for what waits: "12 min", "5 h", "3 d". */
export function ageText(at: string): string {
  const minutes = Math.max(0, Math.round((serverNow() - Date.parse(at)) / minuteMs));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} d`;
}

export function CustomerLink({ id, name }: { id: string; name?: string }) {
  return (
    <Link className={name === undefined ? 'link mono' : 'link'} to={`/customers/${encodeURIComponent(id)}`}>
      {name ?? id}
    </Link>
  );
}

export function ProductName({ id }: { id: string }) {
  return useProductName()(id);
}

/** Shown by its name; the file has the id. */
export const productColumn = <Row,>(of: (row: Row) => string): Column<Row> => ({
  header: 'Product',
  text: of,
  cell: (row) => <ProductName id={of(row)} />,
});

/** Rupees: shown as money, and a number in the file. */
export const moneyColumn = <Row,>(header: string, of: (row: Row) => number): Column<Row> => ({
  header,
  text: of,
  cell: (row) => moneyText(of(row)),
  align: 'right',
});
