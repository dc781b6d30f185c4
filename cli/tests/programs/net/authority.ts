/** A test authority and its server certificates, made by `openssl`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files in PEM. */
export type Certificate = { readonly certificate: string; readonly key: string }

const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

const day = (offset: number): string =>
  `${new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}000000Z`

/** A certificate authority in a folder. */
export class Authority {
  /** The file to trust. */
  readonly file: string
  readonly #folder: string
  #issued = 0

  constructor(folder: string) {
    this.#folder = folder
    this.file = join(folder, 'authority.pem')
    mkdirSync(folder, { recursive: true })
    const subject = ['-subj', '/CN=Test authority', '-days', '2']
    run('req', '-x509', ...keyOptions, ...subject, '-keyout', this.#key, '-out', this.file)
    writeFileSync(join(folder, 'index.txt'), '')
    writeFileSync(
      this.#configuration,
      `[ca]\ndefault_ca=test\n[test]\ndatabase=${folder}/index.txt\nnew_certs_dir=${folder}\nrand_serial=yes\ndefault_md=sha256\npolicy=any\nunique_subject=no\n[any]\ncommonName=supplied\n`,
    )
  }

  /** Issues a certificate for a subjectAltName such as `IP:192.0.2.1`, valid since yesterday or expired. */
  issue(name: string, isExpired = false): Certificate {
    this.#issued += 1
    const at = (kind: string): string => join(this.#folder, `server${this.#issued}.${kind}`)
    const made = { certificate: at('pem'), key: at('key') }
    run('req', '-new', ...keyOptions, '-subj', '/CN=relay', '-keyout', made.key, '-out', at('csr'))
    writeFileSync(at('ext'), `subjectAltName=${name}\n`)
    run(
      ...['ca', '-batch', '-notext', '-config', this.#configuration],
      ...['-cert', this.file, '-keyfile', this.#key, '-in', at('csr'), '-out', made.certificate],
      ...['-startdate', day(isExpired ? -3 : -1), '-enddate', day(isExpired ? -1 : 2)],
      ...['-extfile', at('ext')],
    )
    return made
  }

  get #key(): string {
    return join(this.#folder, 'authority.key')
  }

  get #configuration(): string {
    return join(this.#folder, 'authority.cnf')
  }
}

const run = (...args: readonly string[]): void => {
  execFileSync('openssl', args, { stdio: 'pipe' })
}
