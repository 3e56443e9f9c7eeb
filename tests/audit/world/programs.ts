import { buildPrograms as build } from '#ship/launch/build.mjs';
import { builtProgram } from '#shared/platform/built-program.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

/** Builds the processes of the product and the operator's command from the present source. */
export const buildPrograms = (): Promise<void> => build(projectFolder());

/** The `octroi` command. */
export const octroiScript = (): string => builtProgram('octroi');
