import { ActivationOfPath } from '#web/features/cycles/activation-of-path.tsx';
import { Report, ReportShape } from '#web/features/usage/report.tsx';

/** Use over time of one activation, key by key (product §2.21). */
export function ActivationReportingPage() {
  return (
    <ActivationOfPath shape={<ReportShape />}>
      {({ id, service }) => <Report activation={{ id, name: service.name }} />}
    </ActivationOfPath>
  );
}
