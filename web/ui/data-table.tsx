import { Card, Table, VisuallyHidden } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import classes from '#web/ui/data-table.module.css';

/** One column. `stack` is its place in the two-column stack that a row becomes on a phone. */
export interface DataColumn<Row> {
  key: string;
  header: string;
  /** The head is only for those who listen, as above a row's action. */
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

/** A table in a card; under 48em each row becomes a stack. */
export function DataTable<Row>({ label, columns, rows, rowKey, isOff, onOpen }: DataTableProps<Row>) {
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
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={rowKey(row)}
              className={isOff?.(row) ? classes.off : undefined}
              data-opens={onOpen !== undefined}
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
    </Card>
  );
}

/** Neither on a control of the row, nor the end of marking text. */
function isPlainClick({ target }: MouseEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('a, button, input, select') !== null;
  return !isOnControl && (getSelection()?.isCollapsed ?? true);
}
