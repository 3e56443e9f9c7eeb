import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CallReply } from '#shared/contract/call.ts';
import { declareTransferTds, type payByTransfer } from '#shared/contract/bank-transfers.ts';
import { tdsPercentOf } from '#shared/domain/tds.ts';
import { useAction } from '#web/api/use-call.ts';
import { bankTransferTexts as texts } from '#web/features/bank-transfers/texts.ts';
import classes from '#web/features/bank-transfers/bank-transfer.module.css';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';

type Declared = CallReply<typeof payByTransfer>['declared'];

/** For a customer that deducts tax (TDS): where it says so, and takes it back. */
export function TransferTds({ declared, onChange }: { declared: Declared; onChange: (declared: Declared) => void }) {
  const [isChanging, setIsChanging] = useState(false);
  const taking = useAction(declareTransferTds, {
    onDone: () => onChange(null),
    onFailed: (failure) => notifyFailure(texts.tdsFailed, failure.message),
  });
  if (isChanging) {
    const done = (said: Declared) => {
      onChange(said);
      setIsChanging(false);
    };
    return <DeclareForm declared={declared} onDone={done} onCancel={() => setIsChanging(false)} />;
  }
  return (
    <div className={classes.tds}>
      <p className="caption dim">{declared === null ? texts.tds : texts.either(declared.tan)}</p>
      <div className={classes.actions}>
        <Button variant="default" size="xs" onClick={() => setIsChanging(true)}>
          {declared === null ? texts.deduct : texts.change}
        </Button>
        {declared !== null && (
          <ActionButton
            call="declareTransferTds"
            variant="default"
            size="xs"
            running={taking.running}
            onClick={() => void taking.run({ body: { declared: null } })}
          >
            {texts.takeBack}
          </ActionButton>
        )}
      </div>
    </div>
  );
}

function DeclareForm({
  declared,
  onDone,
  onCancel,
}: {
  declared: Declared;
  onDone: (declared: Declared) => void;
  onCancel: () => void;
}) {
  const contractForm = useContractForm(declareTransferTds, {
    initialValues: { tan: declared?.tan ?? '', percent: String(declared?.percent ?? 10) },
    input: ({ tan, percent }) => ({
      body: { declared: { tan: tan.trim().toUpperCase(), percent: tdsPercentOf(Number(percent)) ?? 10 } },
    }),
    fieldOf: { declared: 'tan' },
    wording: () => texts.tanFault,
    changes: [],
    onDone: (reply) => onDone(reply.declared),
    onFailed: (failure, isPlaced) => isPlaced || notifyFailure(texts.tdsFailed, failure.message),
  });
  const { field, running } = contractForm;
  return (
    <ContractForm of={contractForm} className={classes.tds}>
      <p className="caption dim">{texts.tds}</p>
      <TextInput
        {...field('tan', texts.tanHint)}
        data-autofocus
        label={texts.tan}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={10}
      />
      <NativeSelect
        {...field('percent')}
        label={texts.percent}
        data={[
          { value: '10', label: texts.percents[10] },
          { value: '2', label: texts.percents[2] },
        ]}
      />
      <div className={classes.actions}>
        <ActionButton call="declareTransferTds" type="submit" size="xs" running={running}>
          {texts.save}
        </ActionButton>
        <Button variant="default" size="xs" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </ContractForm>
  );
}
