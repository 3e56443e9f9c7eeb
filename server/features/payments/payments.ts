export { remindOfEvidence } from './dispute-events.ts';
export { readMoneyElsewhere } from './elsewhere-health.ts';
export { readUnsettled } from './unsettled.ts';
export { startDueWork } from './due-work.ts';
