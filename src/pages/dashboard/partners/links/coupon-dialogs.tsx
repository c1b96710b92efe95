import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { ActionForm, textOf } from '../../../ui/action-form.tsx';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { Field } from '../../../ui/field.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { PartnerPicker } from '../../partner-picker.tsx';
import { useProgram } from '../../use-program.ts';
import type { Coupon } from './coupon-queries.ts';

/** For this partner, or for one picked in the form. */
export function MakeCoupon({ partner }: { partner?: { readonly id: number; readonly name: string } }) {
	return (
		<DialogButton
			trigger={<Button className={`react-aria-Button ${partner ? '' : 'primary'}`}>Create a coupon</Button>}
			title={partner ? `Create a coupon for ${partner.name}` : 'Create a coupon'}
		>
			{(close) => <MakeForm partnerId={partner?.id} close={close} />}
		</DialogButton>
	);
}

function MakeForm({ partnerId, close }: { partnerId: number | undefined; close: () => void }) {
	const { programId } = useProgram();
	const make = useAction({
		send: (fields: FormData) =>
			answerOf(
				api.v1.programs[':id'].coupons.$post({
					param: { id: programId },
					json: { partner_id: partnerId ?? Number(fields.get('partner_id')), code: textOf(fields, 'code') ?? '' },
				}),
			),
		successMessage: ({ data }) => `${data.code} created`,
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm
			action="Create coupon"
			isPending={make.isPending}
			error={make.error}
			onCancel={close}
			onSend={(fields) => make.mutate(fields)}
		>
			{partnerId === undefined && <PartnerPicker label="Partner" name="partner_id" isRequired />}
			<Field
				label="Code"
				name="code"
				maxLength={64}
				placeholder="PAT20"
				description="The code as in your checkout. Letter case does not matter. You set the discount in your checkout."
				isRequired
				autoFocus={partnerId !== undefined}
			/>
		</ActionForm>
	);
}

export function RenameCoupon({ coupon }: { coupon: Coupon }) {
	return (
		<DialogButton
			trigger={
				<Button className="react-aria-Button plain" aria-label={`Rename ${coupon.code}`}>
					Rename
				</Button>
			}
			title={`Rename ${coupon.code}`}
		>
			{(close) => <RenameForm coupon={coupon} close={close} />}
		</DialogButton>
	);
}

function RenameForm({ coupon: { id, code }, close }: { coupon: Coupon; close: () => void }) {
	const { programId } = useProgram();
	const rename = useAction({
		send: (fields: FormData) =>
			answerOf(
				api.v1.programs[':id'].coupons[':couponId'].$patch({
					param: { id: programId, couponId: String(id) },
					json: { code: textOf(fields, 'code') ?? '' },
				}),
			),
		successMessage: () => 'Saved',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Save" isPending={rename.isPending} error={rename.error} onCancel={close} onSend={(fields) => rename.mutate(fields)}>
			<Field
				label="Code"
				name="code"
				defaultValue={code}
				maxLength={64}
				description={`This coupon will no longer credit sales with ${code}. Sales that it has already credited stay.`}
				isRequired
				autoFocus
			/>
		</ActionForm>
	);
}
