import { Card, Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '#web/ui/data-table.module.css';

/** One column. `stack` is its place in the two-column stack that a row becomes on a phone. */
export interface DataColumn<Row> {
  key: string;
  header: string;
  /** The head is only for those who listen, as above a row's action. */
  quiet?: boolean;
  align?: 'right';
  width?: string;
  stack: 'top-left' | 'top-right' | 'left' | 'right' | 'bottom' | 'bottom-2' | 'hidden';
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
}

/** A table in a card; under 48em each row becomes a stack. */
export function DataTable<Row>({ label, columns, rows, rowKey, isOff }: DataTableProps<Row>) {
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
            <Table.Tr key={rowKey(row)} className={isOff?.(row) ? classes.off : undefined}>
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
