type Fact = { readonly name: string; readonly value: string }

/** Four facts about something that is over. */
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
