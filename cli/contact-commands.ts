/** The parts of `thru contacts` on the command line. */
import type { Command } from 'commander'
import { contacts, type ContactsCall, type ContactsOptions } from './contacts'
import type { ExitCode } from './exit-codes'
import type { Reporter } from './reporter'
import type { Terminal } from './terminal'

/** Adds the command and its parts to `thru`. */
export function addContacts(
  thru: Command,
  reporterFor: (options: ContactsOptions) => Reporter,
  terminal: Terminal,
  onExit: (exitCode: ExitCode) => void,
): void {
  const command = thru
    .command('contacts')
    .description('list the contacts; rename or remove one, or receive from it without asking')
    .option('--json', 'one JSON object per contact on standard output')
  const run = async (call: ContactsCall): Promise<void> => {
    const options: ContactsOptions = command.opts()
    onExit(await contacts(call, options, reporterFor(options), terminal))
  }
  command.action(() => run({ kind: 'list' }))
  command
    .command('rename <name> <new-name>')
    .description('give a contact another name')
    .action((name: string, newName: string) => run({ kind: 'rename', name, newName }))
  command
    .command('remove <name>')
    .description('forget a contact, keys included')
    .action((name: string) => run({ kind: 'remove', name }))
  command
    .command('auto <name> <directory>')
    .description('receive from it into a folder without asking; "off" ends that')
    .option('--max <size>', 'ask about larger offers (default 100GB)')
    .action((name: string, directory: string, { max }: { readonly max?: string }) =>
      run({ kind: 'auto', name, directory, most: max }),
    )
}
