import type { TestProject } from 'vitest/node';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { buildPrograms } from './build.mjs';

const refresh = (): Promise<void> => buildPrograms(projectFolder());

/** Vitest's global set-up: what tests start as processes are the built programs, of the present source. */
export async function setup(project: TestProject): Promise<void> {
  await refresh();
  project.onTestsRerun(refresh);
}
