import { Alert, Button, Skeleton } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { OperatorInput, OperatorReply, ReadName } from '#shared/contract/operator/calls.ts';
import { readAsOperator } from '#web/console/api/operator-call.ts';
import { operatorKey } from '#web/console/api/use-operator-call.ts';
import { Part } from '#web/console/ui/page.tsx';
import { CsvButton, RowTable, type RowTableProps } from '#web/console/ui/row-table.tsx';
import { Loaded } from '#web/ui/states.tsx';

interface CallTableProps<Name extends ReadName, Row> extends Omit<RowTableProps<Row>, 'rows'> {
  call: Name;
  input: OperatorInput<Name>;
  rows: (reply: OperatorReply<Name>) => readonly Row[];
  /** What to ask for after a reply; undefined where the list ends. */
  next?: (reply: OperatorReply<Name>) => OperatorInput<Name> | undefined;
  /** What the list lacks, by its first page. */
  notes?: (reply: OperatorReply<Name>) => readonly string[];
  /** Filters, beside the heading. */
  filters?: ReactNode;
  refetchIntervalMs?: number;
}

/** A page may be empty although matches follow: it holds what was searched, such as some hours of the request log. */
const noneYet = 'None so far. “Show more” searches further back.';

/** A list of the contract as a table: its states, its pages, and its file. */
export function CallTable<Name extends ReadName, Row>(props: CallTableProps<Name, Row>) {
  const { call, input, rows, next, notes, filters, refetchIntervalMs, ...table } = props;
  const list = useInfiniteQuery({
    queryKey: [...operatorKey(call, input), 'pages'],
    queryFn: ({ pageParam, signal }): Promise<OperatorReply<Name>> => readAsOperator(call, pageParam.input, signal),
    initialPageParam: { input },
    getNextPageParam: (last) => {
      const asked = next?.(last);
      return asked === undefined ? undefined : { input: asked };
    },
    placeholderData: keepPreviousData,
    ...(refetchIntervalMs !== undefined && { refetchInterval: refetchIntervalMs }),
  });

  /** The whole list, from its beginning. */
  async function readAll(): Promise<readonly Row[]> {
    const found: Row[] = [];
    for (let asked: OperatorInput<Name> | undefined = input; asked !== undefined;) {
      const reply: OperatorReply<Name> = await readAsOperator(call, asked);
      found.push(...rows(reply));
      asked = next?.(reply);
    }
    return found;
  }

  return (
    <Part
      title={table.label}
      end={
        <>
          {filters}
          {list.data?.pages.some((page) => rows(page).length > 0) === true ? (
            <CsvButton label={table.label} columns={table.columns} read={readAll} />
          ) : null}
        </>
      }
    >
      <Loaded
        of={list}
        word="Loading"
        failed="This list could not be read"
        shape={<Skeleton height={120} radius="lg" />}
      >
        {({ pages }) => (
          <>
            {pages
              .slice(0, 1)
              .flatMap((first) => notes?.(first) ?? [])
              .map((note) => (
                <p key={note} className="caption soft">
                  {note}
                </p>
              ))}
            <RowTable {...table} rows={pages.flatMap(rows)} empty={list.hasNextPage ? noneYet : table.empty} />
          </>
        )}
      </Loaded>
      {list.isFetchNextPageError ? (
        <Alert role="alert" color="red" icon={<CircleAlert size={18} />} mt={12} title="No more could be read">
          {list.error.message}
        </Alert>
      ) : null}
      {list.hasNextPage ? (
        <Button
          variant="default"
          size="sm"
          mt={12}
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
    </Part>
  );
}
