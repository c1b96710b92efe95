import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { Copy } from '../../ui/small.tsx';
import type { Snippet } from './snippets.ts';

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
			{snippets.map(({ id, place, first, code, guide }) => (
				<TabPanel key={id} id={id}>
					<p>{place}</p>
					{first && <Copy label={first.label} isBlock text={first.code} />}
					<Copy label="the code" isBlock text={code} />
					<a className="small" href={guide} target="_blank" rel="noreferrer">
						Read the guide
					</a>
				</TabPanel>
			))}
		</Tabs>
	);
}
