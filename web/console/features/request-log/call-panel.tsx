import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { Part } from '#web/console/ui/page.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { instantText } from '#web/ui/localized-days.ts';
import { Panel } from '#web/console/ui/panel.tsx';

/** A call of the request log, and why it ended as it did. */
export function CallPanel({ requestId }: { requestId: string }) {
  return (
    <Part title={`Call ${requestId}`}>
      <LoadedCall call="findCustomers" input={{ text: requestId }} failed="The call could not be read" height={80}>
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
      </LoadedCall>
    </Part>
  );
}
