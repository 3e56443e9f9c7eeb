/** The list of packages in the CycloneDX format. */
export function packageList(root: string): Promise<string>;
/** Puts everything that production needs into a new folder; `octroi` there is the command. */
export function assemble(root: string, folder: string, built?: string): void;
