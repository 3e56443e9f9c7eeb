import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { listCodeFiles } from './modules.ts';
import { monitoringFaults } from './monitoring-rules.ts';
import { report } from './report.ts';

/** Alerts, the dashboard and the documentation name the metrics that exist; promtool, where installed, parses every expression. */
const read = (path: string): string => readFileSync(projectFolder(path), 'utf8');
const registered = ['gateway', 'shared/platform', 'server']
  .flatMap((room) => listCodeFiles(projectFolder(), room))
  .filter((path) => !path.endsWith('.test.ts'))
  .map(read)
  .join('\n');
const files = ['ship/deploy/prometheus/alerts.yaml', 'ship/deploy/grafana/octroi.json'];
const faults = monitoringFaults(
  registered,
  new Map(files.map((file) => [file, read(file)])),
  read('docs/operating/watching.md'),
);
const promtool = spawnSync(
  'promtool',
  ['check', 'rules', projectFolder('ship', 'deploy', 'prometheus', 'alerts.yaml')],
  {
    encoding: 'utf8',
  },
);
if (promtool.error === undefined && promtool.status !== 0) faults.push(promtool.stderr);
report('monitoring: alerts, dashboard and documentation', faults);
