import Link from 'next/link';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import type { Skill } from '@/server/catalog/tools/schema';
import { AvailabilityNotice } from '../shared/availability';
import { callSamples } from '../shared/call-samples';
import { playgroundPath } from '../shared/input-link';
import { SkillPrice } from '../shared/price';
import { SchemaTable } from '../shared/schema-table';
import { Badge } from '../ui/badge';
import { buttonClass } from '../ui/button-class';
import { CodeBlock } from '../ui/code-block';
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs';
import { DeprecationNotice } from './deprecation-notice';

interface SkillSectionProps {
  tool: string;
  skill: Skill;
  baseUrl: string;
  /** Whether the tool is deprecated, which the page already states. */
  toolDeprecated: boolean;
  /** The viewer's saved provider keys; null if the page already states the availability. */
  ownKeys: readonly AccountRequirement[] | null;
}

/** A skill: description, schemas, price, and calls to copy. */
export function SkillSection({ tool, skill, baseUrl, toolDeprecated, ownKeys }: SkillSectionProps) {
  return (
    <section
      id={skill.name}
      aria-labelledby={`${skill.name}-title`}
      className="flex min-w-0 flex-col gap-5 border-t pt-8"
    >
      <SkillHeader tool={tool} skill={skill} toolDeprecated={toolDeprecated} ownKeys={ownKeys} />
      <SkillSchemas skill={skill} />
      {skill.examples?.map((example) => (
        <SkillExample
          key={example.description}
          tool={tool}
          skill={skill.name}
          example={example}
          baseUrl={baseUrl}
        />
      ))}
    </section>
  );
}

function SkillHeader({ tool, skill, toolDeprecated, ownKeys }: Omit<SkillSectionProps, 'baseUrl'>) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={`${skill.name}-title`} className="flex flex-wrap items-baseline gap-x-3 text-xl">
          {skill.displayName}
          <a
            href={`#${skill.name}`}
            className="break-all font-mono font-normal text-muted text-sm hover:text-accent"
          >
            {tool}.{skill.name}
          </a>
        </h2>
        <SkillPrice pricing={skill.pricing} className="text-base" />
      </div>
      <p className="max-w-2xl text-muted">{skill.description}</p>
      {skill.deprecated && !toolDeprecated && (
        <DeprecationNotice what="This skill" deprecated={skill.deprecated} />
      )}
      {ownKeys && <AvailabilityNotice what="This skill" of={skill} ownKeys={ownKeys} />}
      <Traits skill={skill} />
      <Link
        href={playgroundPath(tool, skill.name)}
        prefetch={false}
        className={buttonClass({ size: 'sm', className: 'mt-1 w-fit' })}
      >
        Try it in the playground<span className="sr-only">: {skill.displayName}</span>
      </Link>
    </div>
  );
}

function SkillSchemas({ skill }: { skill: Skill }) {
  const input = skill.input;
  return (
    <Tabs defaultValue="input">
      <TabList label={`Schemas of ${skill.displayName}`}>
        <Tab value="input">Input</Tab>
        <Tab value="output">Output</Tab>
        <Tab value="json">JSON Schema</Tab>
      </TabList>
      <TabPanel value="input">
        <SchemaTable
          schema={input}
          caption={`Input of ${skill.displayName}`}
          empty="Takes an empty object."
          showRequired
        />
      </TabPanel>
      <TabPanel value="output" className="flex flex-col gap-3">
        {skill.returns && <p className="text-sm">{skill.returns}</p>}
        <SchemaTable
          schema={skill.outputSchema}
          caption={`Output of ${skill.displayName}`}
          empty="An object with any fields."
        />
      </TabPanel>
      <TabPanel value="json">
        <CodeBlock
          label={`Schemas of ${skill.displayName}`}
          samples={[
            { language: 'Input', code: JSON.stringify(input ?? {}, null, 2) },
            { language: 'Output', code: JSON.stringify(skill.outputSchema ?? {}, null, 2) },
          ]}
          bodyClassName="max-h-96"
        />
      </TabPanel>
    </Tabs>
  );
}

interface SkillExampleProps {
  tool: string;
  skill: string;
  example: NonNullable<Skill['examples']>[number];
  baseUrl: string;
}

function SkillExample({ tool, skill, example, baseUrl }: SkillExampleProps) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="font-medium text-sm">{example.description}</h3>
        <Link href={playgroundPath(tool, skill, example.input)} prefetch={false} className="link text-sm">
          Try it<span className="sr-only"> in the playground: {example.description}</span>
        </Link>
      </div>
      <CodeBlock
        label={example.description}
        samples={callSamples(baseUrl, { tool, skill, input: example.input })}
        bodyClassName="max-h-96"
      />
    </div>
  );
}

const JOB_FROM_SECONDS = 30;

function Traits({ skill }: { skill: Skill }) {
  const { readOnly, idempotent, destructive, estimatedSeconds } = skill.annotations;
  return (
    <ul className="flex flex-wrap gap-1.5 empty:hidden">
      {readOnly && <Trait title="Changes nothing">Read only</Trait>}
      {idempotent && (
        <Trait title="Calling it twice has the same effect as calling it once">Idempotent</Trait>
      )}
      {destructive && <Trait title="Can delete or overwrite data">Destructive</Trait>}
      {estimatedSeconds >= JOB_FROM_SECONDS && (
        <Trait title={`Takes about ${estimatedSeconds} seconds: the response is a job to poll`}>
          Runs as a job
        </Trait>
      )}
      {skill.requirements.map((name) => (
        <Trait key={name} title="A provider key that this skill can use">
          Uses {name}
        </Trait>
      ))}
    </ul>
  );
}

function Trait({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <li>
      <Badge title={title}>{children}</Badge>
    </li>
  );
}
