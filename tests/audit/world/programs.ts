import { bundlePrograms } from '#ship/launch/build.mjs';
import { projectFolder } from '#shared/platform/project-folder.ts';

/** Builds the processes of the product and the operator's command from the present source. */
export const buildPrograms = (): Promise<void> => bundlePrograms(projectFolder());

/** The `octroi` command. */
export const octroiScript = (): string => projectFolder('build', 'octroi.js');
