import { Card, Table, VisuallyHidden } from '@mantine/core';
import { Download } from 'lucide-react';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type CsvCell, csvOf } from '#shared/domain/csv.ts';
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

/** A dense table; on a phone each row is a stack. The shell moves between its links by j and k. */
export function RowTable<Row>({ label, columns, rows, rowKey, to, isOff, empty }: RowTableProps<Row>) {
  const navigate = useNavigate();
  if (rows.length === 0) return <p className={classes.empty}>{empty}</p>;
  return (
    <Card padding={0} className={classes.wrap}>
      <Table className={classes.table} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, text, align }) => (
              <Table.Th key={header} data-align={align}>
                {text === undefined ? <VisuallyHidden>{header}</VisuallyHidden> : header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const address = to?.(row) ?? null;
            return (
              <Table.Tr
                key={rowKey(row)}
                data-opens={address !== null || undefined}
                data-off={isOff?.(row) || undefined}
                onClick={(event) => address !== null && isPlainClick(event) && void navigate(address)}
              >
                {columns.map((column, index) => (
                  <Table.Td key={column.header} data-align={column.align} data-label={column.text && column.header}>
                    <span className={column.isId === true ? 'mono' : undefined}>
                      {index === 0 && address !== null ? (
                        <Link to={address} data-row className={classes.link}>
                          {contentOf(column, row)}
                        </Link>
                      ) : (
                        contentOf(column, row)
                      )}
                    </span>
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

const contentOf = <Row,>({ cell, text }: Column<Row>, row: Row) => (cell === undefined ? text?.(row) : cell(row));

/** Neither on a control of the row, nor the end of marking text. */
function isPlainClick({ target }: MouseEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('a, button, input, select') !== null;
  return !isOnControl && (getSelection()?.isCollapsed ?? true);
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
