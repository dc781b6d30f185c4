type Fact = { readonly name: string; readonly value: string }

/** Summary figures of a finished transfer. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="facts">
    {facts.map(({ name, value }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd className="trunc" title={value}>
          {value}
        </dd>
      </div>
    ))}
  </dl>
)
