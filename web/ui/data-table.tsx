import { Button, Card, Table, VisuallyHidden } from '@mantine/core';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import classes from '#web/ui/data-table.module.css';
import { uiTexts as texts } from '#web/ui/texts.ts';

/** One column. `stack` is its place in the two-column stack that a row becomes on a phone. */
export interface DataColumn<Row> {
  key: string;
  header: string;
  /** Header for screen readers only, as above a row's action. */
  quiet?: boolean;
  align?: 'right';
  width?: string;
  stack: 'top-left' | 'top-right' | 'left' | 'right' | 'bottom' | 'bottom-2' | 'foot' | 'hidden';
  /** Its head is repeated in the stack, where the value alone would not say what it is. */
  labelled?: boolean;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  /** The table's accessible name. */
  label: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Rows that are over stand back. */
  isOff?: (row: Row) => boolean;
  /** A click anywhere in a row opens it. One of its cells must have a button that does the same. */
  onOpen?: (row: Row) => void;
}

/** Rows that a phone shows at first, and with each press of the button for more: a stack is about 140 px high. */
const rowsAtOnce = 10;

/** A table in a card; under 48em each row becomes a stack, and later rows wait for a button. Paper has them all. */
export function DataTable<Row>({ label, columns, rows, rowKey, isOff, onOpen }: DataTableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [shown, setShown] = useState(rowsAtOnce);

  function showMore(): void {
    flushSync(() => setShown(shown + rowsAtOnce));
    // The button goes on, or away: reading continues with the first new row.
    body.current?.rows[shown]?.focus();
  }

  return (
    <Card padding={0} className={classes.wrap}>
      <Table className={classes.table} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.key} w={column.width} data-align={column.align}>
                {column.quiet ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          {rows.map((row, index) => (
            <Table.Tr
              key={rowKey(row)}
              className={isOff?.(row) ? classes.off : undefined}
              data-opens={onOpen !== undefined}
              data-later={index >= shown || undefined}
              // Only for showMore.
              tabIndex={index > 0 && index === shown - rowsAtOnce ? -1 : undefined}
              onClick={onOpen && ((event) => isPlainClick(event) && onOpen(row))}
            >
              {columns.map((column) => (
                <Table.Td
                  key={column.key}
                  data-align={column.align}
                  data-stack={column.stack}
                  data-label={column.labelled ? column.header : undefined}
                >
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > shown && (
        <div className={classes.more} data-print="hidden">
          <Button variant="default" fullWidth onClick={showMore}>
            {texts.showMore(Math.min(rowsAtOnce, rows.length - shown), rows.length - shown)}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** Neither on a control of the row, nor the end of marking text. */
function isPlainClick({ target }: MouseEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('a, button, input, select') !== null;
  return !isOnControl && (getSelection()?.isCollapsed ?? true);
}
