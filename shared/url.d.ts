/** The part of the WHATWG `URL` that this folder uses; Node and browsers share it. */
declare class URL {
  /** Throws for anything that isn't a URL. */
  constructor(url: string)
  readonly protocol: string
  readonly username: string
  readonly password: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
}
