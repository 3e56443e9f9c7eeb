import { Skeleton, Text } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { askErasure, readErasure, withdrawErasure } from '#shared/contract/privacy.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { erasureTexts as texts } from '#web/features/account/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { dayText, instantText } from '#web/ui/localized-days.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { Section } from '#web/ui/section.tsx';
import { Loaded } from '#web/ui/states.tsx';

const onFailed = (failure: { message: string }) => notifyFailure(texts.failed, failure.message);

/** The customer's request to be erased: asked for after a question, taken back until it is carried out (product §12.5). */
export function ErasureRequest() {
  const erasure = useCall(readErasure, {});
  const [asking, setAsking] = useState(false);
  const ask = useAction(askErasure, {
    changes: [readErasure],
    onDone: () => {
      setAsking(false);
      notifyDone(texts.asked, texts.askedMore);
    },
    onFailed,
  });
  const withdraw = useAction(withdrawErasure, {
    changes: [readErasure],
    subject: askErasure.name,
    onDone: () => notifyDone(texts.withdrawn),
    onFailed,
  });
  return (
    <Section title={texts.title}>
      <Loaded of={erasure} word={texts.loading} failed={texts.loadFailed} shape={<Skeleton height={96} />}>
        {({ askedAt, keptUntil }) => {
          const kept = keptUntil === null ? null : <Text className="soft">{texts.kept(dayText(keptUntil))}</Text>;
          return askedAt === null ? (
            <>
              <p className="soft">{texts.lead}</p>
              <ActionButton
                call="askErasure"
                variant="default"
                leftSection={<Trash2 size={16} aria-hidden="true" />}
                onClick={() => setAsking(true)}
              >
                {texts.ask}
              </ActionButton>
              <Dialog opened={asking} onClose={() => setAsking(false)} title={texts.question}>
                <RemoveQuestion
                  call="askErasure"
                  keep={texts.keep}
                  onKeep={() => setAsking(false)}
                  remove={texts.ask}
                  running={ask.running}
                  onRemove={() => void ask.run({})}
                >
                  <Text>{texts.questionText}</Text>
                  {kept}
                </RemoveQuestion>
              </Dialog>
            </>
          ) : (
            <>
              <p>{texts.askedOn(instantText(askedAt))}</p>
              {kept}
              <ActionButton
                call="withdrawErasure"
                variant="default"
                mt={12}
                running={withdraw.running}
                onClick={() => void withdraw.run({})}
              >
                {texts.withdraw}
              </ActionButton>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
