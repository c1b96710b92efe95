import { escapeHtml } from './html.ts';
import { phraseHtml } from './markdown.ts';
import { type OpenApi, type Parameter, type Schema, schemaOf } from './openapi.ts';

const DEPTH = 6;

interface Row {
	readonly name: string;
	readonly type: string;
	readonly isRequired: boolean;
	readonly description: string;
}

/** A table of the body's fields, or one table for each variant of the body. */
export function fieldTables(document: OpenApi, schema: Schema, titles: { required: boolean }): string {
	const whole = schemaOf(document, schema);
	const forms = alternativesOf(document, whole);
	if (forms.length < 2) return table(rowsOf(document, whole, '', 0), titles);
	const [first = whole, ...others] = forms;
	const rows = rowsOf(document, first, '', 0);
	return `${formTitle('Either', first)}${table(rows, titles)}${others.map((form) => otherForm(document, form, rows, titles)).join('')}`;
}

/** Another variant of a body. If it has the same fields, only its required ones are listed. */
function otherForm(document: OpenApi, form: Schema, known: readonly Row[], titles: { required: boolean }): string {
	const rows = rowsOf(document, form, '', 0);
	const isSame = rows.every(({ name }) => known.some((row) => row.name === name));
	if (!isSame || !titles.required) return `${formTitle('Or', form)}${table(rows, titles)}`;
	const required = rows.filter(({ isRequired }) => isRequired).map(({ name }) => `<code>${escapeHtml(name)}</code>`);
	return `${formTitle('Or', form)}<p>The same fields. Required: ${required.join(', ') || 'none'}.</p>\n`;
}

function formTitle(word: string, { description }: Schema): string {
	return `<p class="form">${word}${description === undefined ? ':' : `: ${phraseHtml(description)}`}</p>\n`;
}

export function parameterTable(document: OpenApi, parameters: readonly Parameter[]): string {
	const rows = parameters.map((parameter) => ({
		name: parameter.name,
		type: `${parameter.in}, ${typeText(document, parameter.schema)}`,
		isRequired: parameter.required === true,
		description: parameter.description,
	}));
	return table(rows, { required: true });
}

export function fieldNames(document: OpenApi, schema: Schema): string[] {
	const whole = schemaOf(document, schema);
	const forms = alternativesOf(document, whole);
	return (forms.length === 0 ? [whole] : forms).flatMap((form) => rowsOf(document, form, '', 0).map(({ name }) => name));
}

function table(rows: readonly Row[], { required }: { required: boolean }): string {
	if (rows.length === 0) return '';
	const body = rows.map(
		({ name, type, isRequired, description }) =>
			`<tr><th scope="row"><code>${escapeHtml(name).replaceAll(/([._])/g, '$1<wbr>')}</code>${required && isRequired ? ' <strong class="required">required</strong>' : ''}</th><td><span class="type">${escapeHtml(type)}</span>${phraseHtml(description)}</td></tr>`,
	);
	return `<div class="table" tabindex="0"><table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Meaning</th></tr></thead><tbody>${body.join('\n')}</tbody></table></div>\n`;
}

function rowsOf(document: OpenApi, schema: Schema, prefix: string, depth: number): Row[] {
	const whole = schemaOf(document, schema);
	if (depth > DEPTH) return [];
	const properties = Object.entries(whole.properties ?? {});
	return properties.flatMap(([name, property]) => {
		const field = schemaOf(document, property);
		const row = {
			name: `${prefix}${name}`,
			type: typeText(document, field),
			isRequired: whole.required?.includes(name) === true,
			description: field.description ?? '',
		};
		return [row, ...innerRows(document, field, row.name, depth + 1)];
	});
}

/** The fields of an object, the items of a list, or the alternatives other than null. */
function innerRows(document: OpenApi, field: Schema, name: string, depth: number): Row[] {
	if (field.properties) return rowsOf(document, field, `${name}.`, depth);
	if (field.items) return innerRows(document, schemaOf(document, field.items), `${name}[]`, depth);
	if (typeof field.additionalProperties === 'object') {
		return innerRows(document, schemaOf(document, field.additionalProperties), `${name}.*`, depth);
	}
	const forms = alternativesOf(document, field);
	const seen = new Set<string>();
	return forms.flatMap((form) => innerRows(document, form, name, depth)).filter((row) => !seen.has(row.name) && seen.add(row.name));
}

function alternativesOf(document: OpenApi, schema: Schema): Schema[] {
	return (schema.anyOf ?? schema.oneOf ?? []).map((form) => schemaOf(document, form)).filter(({ type }) => type !== 'null');
}

/** A type in words: `integer, 1 to 200, or null`. */
export function typeText(document: OpenApi, schema: Schema): string {
	const field = schemaOf(document, schema);
	const nothing = isNullable(field) ? ' or null' : '';
	const standard = field.default === undefined ? '' : `; default: ${JSON.stringify(field.default)}`;
	return `${kindText(document, field)}${limitText(field)}${nothing}${standard}`;
}

function kindText(document: OpenApi, field: Schema): string {
	if (field.const !== undefined) return JSON.stringify(field.const);
	if (field.enum) {
		return field.enum
			.filter((value) => value !== null)
			.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
			.join(' | ');
	}
	const forms = alternativesOf(document, field);
	if (forms.length > 0) return [...new Set(forms.map((form) => typeText(document, form)))].join(' or ');
	const types = [field.type ?? []].flat().filter((type) => type !== 'null');
	const [type = 'any value'] = types;
	if (type === 'array') return `list of ${field.items ? typeText(document, field.items) : 'any value'}`;
	return types.length > 1 ? types.join(' or ') : type;
}

function limitText({ type, minimum, maximum, maxLength, maxItems }: Schema): string {
	const isNumber = [type ?? []].flat().some((one) => one === 'integer' || one === 'number');
	if (isNumber && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
		return minimum === undefined ? `, at most ${grouped(maximum)}` : `, ${grouped(minimum)} to ${grouped(maximum)}`;
	}
	if (isNumber && minimum === 1) return ', positive';
	if (isNumber && minimum === 0) return ', not negative';
	if (maxLength !== undefined) return `, at most ${grouped(maxLength)} characters`;
	return maxItems === undefined ? '' : `, at most ${grouped(maxItems)}`;
}

function isNullable(field: Schema): boolean {
	const types = [field.type ?? []].flat();
	const forms = field.anyOf ?? field.oneOf ?? [];
	return (types.includes('null') && types.length > 1) || forms.some(({ type }) => type === 'null');
}

function grouped(value: number): string {
	return value.toLocaleString('en-US');
}
