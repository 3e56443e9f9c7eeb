import { z } from 'zod';
import { secret, webAddress } from './settings.ts';

/** The settings of traces, under the names that OpenTelemetry gives them. */
export const tracingSettings = {
  otelExporterOtlpEndpoint: webAddress(
    'OpenTelemetry collector that gets traces by OTLP/HTTP, such as http://localhost:4318; if not set, nothing is traced',
  ).optional(),
  otelExporterOtlpHeaders: secret('Headers for that collector, as name=value separated by commas').optional(),
  otelTracesSamplerArg: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1)
    .describe('Share of the traces that are recorded, from 0 to 1'),
};

const shape = z.object(tracingSettings);
export type TracingSettings = z.output<typeof shape>;
