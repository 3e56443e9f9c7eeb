import { Skeleton } from '@mantine/core';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { Part } from '#web/console/ui/page.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { instantText } from '#web/ui/localized-days.ts';
import { Loaded } from '#web/ui/states.tsx';
import { Panel } from '#web/console/ui/panel.tsx';

/** A call of the request log, and why it ended as it did. */
export function CallPanel({ requestId }: { requestId: string }) {
  const found = useOperatorCall('findCustomers', { text: requestId });
  return (
    <Part title={`Call ${requestId}`}>
      <Loaded
        of={found}
        word="Loading"
        failed="The call could not be read"
        shape={<Skeleton height={80} radius="lg" />}
      >
        {({ call }) => (
          <Panel>
            {call === undefined ? (
              'The request log does not have it any more.'
            ) : (
              <Facts
                look="strip"
                facts={[
                  ['Call', `${call.method} ${call.path}`],
                  ['Status', String(call.status)],
                  ['Outcome', call.problem === undefined ? call.reason : `${call.reason}: ${call.problem}`],
                  ['Counted', `${call.units}`],
                  ['Took', `${call.latencyMs} ms`],
                  ['When', instantText(new Date(call.at).toISOString())],
                  ['Key', call.keyId],
                  ['Activation', call.activationId],
                ].map(([label = '', value = '']) => ({ key: label, label, value }))}
              />
            )}
          </Panel>
        )}
      </Loaded>
    </Part>
  );
}
