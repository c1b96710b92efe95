import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { CopyButton } from '../../ui/small.tsx';
import type { CodeFile, Snippet } from './snippets.ts';

/** Code for the reader's kind of site, in tabs. */
export function SnippetTabs({ label, snippets }: { label: string; snippets: readonly Snippet[] }) {
	return (
		<Tabs className="snippets">
			<TabList aria-label={label}>
				{snippets.map(({ id, name }) => (
					<Tab key={id} id={id}>
						{name}
					</Tab>
				))}
			</TabList>
			{snippets.map(({ id, about, files, guide }) => (
				<TabPanel key={id} id={id}>
					<p>{about}</p>
					{files.map((file) => (
						<Code key={file.place} file={file} />
					))}
					<a className="small" href={guide} target="_blank" rel="noreferrer">
						Read the guide
					</a>
				</TabPanel>
			))}
		</Tabs>
	);
}

function Code({ file: { place, code } }: { file: CodeFile }) {
	return (
		<figure className="code-file">
			<figcaption>
				<span className="wrap">{place}</span>
				<CopyButton label={`the code: ${place}`} text={code} />
			</figcaption>
			<pre tabIndex={0}>{code}</pre>
		</figure>
	);
}
