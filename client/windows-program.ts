/** Programs that ship with Windows. */

/** An absolute path: a bare name is searched in the current folder first, where a download could be. */
export const windowsProgram = (
  name: string,
  environment: NodeJS.ProcessEnv = process.env,
): string => `${environment['SystemRoot'] || 'C:\\Windows'}\\System32\\${name}.exe`
