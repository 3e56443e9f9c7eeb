import { Card, Table, VisuallyHidden } from '@mantine/core';
import { Download } from 'lucide-react';
import { createContext, type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type CsvCell, csvOf } from '#shared/domain/csv.ts';
import { Part } from '#web/console/ui/page.tsx';
import classes from '#web/console/ui/row-table.module.css';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { saveText } from '#web/ui/save-file.ts';

export interface Column<Row> {
  header: string;
  /** What the file has; also what is shown, unless `cell` says more. Without it the column is not in the file, and its head is not shown. */
  text?: (row: Row) => CsvCell | null;
  cell?: (row: Row) => ReactNode;
  align?: 'right';
  isId?: boolean;
  /** The file alone has it: on the page another column says it. */
  isInFileAlone?: boolean;
}

export interface RowTableProps<Row> {
  /** The table's accessible name, and that of its file. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Where a row leads: the first column is the link. */
  to?: (row: Row) => string | null;
  isOff?: (row: Row) => boolean;
  /** What is said when there is none. */
  empty: string;
}

/** What each letter does while a row, or something in it, has the focus. */
export const RowLetters = createContext<Map<string, () => void> | null>(null);

/** A dense table; on a phone each row is a stack. The shell moves between its rows by j and k. A column in which no row has anything is not shown. */
export function RowTable<Row>({ label, columns, rows, rowKey, to, isOff, empty }: RowTableProps<Row>) {
  if (rows.length === 0) return <p className={classes.empty}>{empty}</p>;
  const shown = columns.filter(
    ({ text, isInFileAlone }, index) =>
      isInFileAlone !== true && (index === 0 || text === undefined || rows.some((row) => (text(row) ?? '') !== '')),
  );
  return (
    <Card padding={0} className={classes.wrap}>
      <Table className={classes.table} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {shown.map((column) => (
              <Table.Th key={column.header} data-align={alignOf(column)}>
                {column.text === undefined ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <TableRow
              key={rowKey(row)}
              row={row}
              columns={shown}
              address={to?.(row) ?? null}
              isOff={isOff?.(row) === true}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function TableRow<Row>({
  row,
  columns,
  address,
  isOff,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  address: string | null;
  isOff: boolean;
}) {
  const navigate = useNavigate();
  const [letters] = useState(() => new Map<string, () => void>());
  const press = (event: KeyboardEvent) => {
    const work = event.ctrlKey || event.metaKey || event.altKey ? undefined : letters.get(event.key);
    // A dialog that is opened from a row is inside it for React.
    if (work === undefined || !(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return;
    // The same letter may be one of the page.
    event.stopPropagation();
    event.preventDefault();
    work();
  };
  return (
    <RowLetters value={letters}>
      <Table.Tr
        data-opens={address !== null || undefined}
        data-off={isOff || undefined}
        onClick={(event) => address !== null && isPlainClick(event) && void navigate(address)}
        onKeyDown={press}
      >
        {columns.map((column, index) => (
          <Table.Td key={column.header} data-align={alignOf(column)} data-label={column.text && column.header}>
            <span className={column.isId === true ? 'mono' : undefined}>
              {index > 0 ? (
                contentOf(column, row)
              ) : address === null ? (
                <span data-row tabIndex={-1} className={classes.stop}>
                  {contentOf(column, row)}
                </span>
              ) : (
                <Link to={address} data-row className={classes.link}>
                  {contentOf(column, row)}
                </Link>
              )}
            </span>
          </Table.Td>
        ))}
      </Table.Tr>
    </RowLetters>
  );
}

/** What can be done with a row stands at its end. */
const alignOf = <Row,>({ align, header }: Column<Row>) => align ?? (header === 'Actions' ? 'right' : undefined);

const contentOf = <Row,>({ cell, text }: Column<Row>, row: Row) => (cell === undefined ? text?.(row) : cell(row));

/** Neither on a control of the row, nor the end of marking text. */
function isPlainClick({ target }: MouseEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('a, button, input, select') !== null;
  return !isOnControl && (getSelection()?.isCollapsed ?? true);
}

/** A part of a page that is a list, with its file. `title`: of the part, where it says more than the list's name. */
export function RowPart<Row>({
  title,
  end,
  ...table
}: RowTableProps<Row> & { title?: string | undefined; end?: ReactNode }) {
  const { label, columns, rows } = table;
  return (
    <Part
      title={title ?? label}
      end={
        <>
          {end}
          {rows.length === 0 ? null : <CsvButton label={label} columns={columns} read={() => Promise.resolve(rows)} />}
        </>
      }
    >
      <RowTable {...table} />
    </Part>
  );
}

/** Saves a list as a file for a spreadsheet. `read`: all its rows, also those that are not shown yet. */
export function CsvButton<Row>({
  label,
  columns,
  read,
}: {
  label: string;
  columns: readonly Column<Row>[];
  read: () => Promise<readonly Row[]>;
}) {
  const [running, setRunning] = useState(false);

  async function save(): Promise<void> {
    setRunning(true);
    try {
      write(await read());
    } catch (error) {
      notifyFailure(`The file of ${label} could not be made`, error instanceof Error ? error.message : String(error));
    } finally {
      setRunning(false);
    }
  }

  function write(rows: readonly Row[]): void {
    const written = columns.flatMap(({ header, text }) => (text === undefined ? [] : [{ header, text }]));
    const csv = csvOf(
      written.map(({ header }) => header),
      rows.map((row) => written.map(({ text }) => text(row) ?? '')),
    );
    saveText(csv, `${label.toLowerCase().replaceAll(/\W+/g, '-')}.csv`, 'text/csv');
  }
  return (
    <ActionButton
      variant="subtle"
      color="gray"
      size="xs"
      leftSection={<Download size={14} />}
      running={running}
      aria-label={`CSV of ${label}`}
      onClick={() => void save()}
    >
      CSV
    </ActionButton>
  );
}
