import type { Activation } from '#contract/activations.ts';
import { ActivationOfPath } from '#web/features/activations/activation-of-path.tsx';
import { reportingTexts as texts } from '#web/features/activations/texts.ts';
import { UsagePanel } from '#web/features/usage/usage-panel.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

/** Use over time of one activation (D15). */
export function ActivationReportingPage() {
  return <ActivationOfPath shape={null}>{(activation) => <Reporting activation={activation} />}</ActivationOfPath>;
}

function Reporting({ activation: { id, service } }: { activation: Activation }) {
  return (
    <>
      <PageHead
        title={texts.title}
        lead={
          <>
            {service.name} <span className="mono dim">{id}</span>
          </>
        }
      />
      <UsagePanel activationId={id} />
    </>
  );
}
