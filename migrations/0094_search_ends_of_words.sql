-- The last two characters of a field, and the last one, become parts too, so that one or two characters are found anywhere in it.
-- Otherwise the triggers are those of search_inside_words.
DROP TRIGGER partner_programs_found;
--> statement-breakpoint
CREATE TRIGGER partner_programs_found AFTER INSERT ON partner_programs BEGIN
	INSERT INTO partner_parts (program_id, part, partner_id)
	SELECT NEW.program_id, part, NEW.partner_id FROM (
		WITH RECURSIVE positions (text, position) AS (
			SELECT (SELECT search_text FROM partners WHERE id = NEW.partner_id), 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT CASE unicode(substr(text, position, 1)) WHEN 10 THEN substr(text, position, 5) WHEN 9 THEN substr(text, position, 4)
			ELSE substr(text, position, min(3, instr(substr(text, position, 3) || char(10), char(10)) - 1)) END AS part FROM positions
	)
	WHERE part <> ''
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
DROP TRIGGER partners_found_anew;
--> statement-breakpoint
CREATE TRIGGER partners_found_anew AFTER UPDATE OF search_text ON partners WHEN NEW.search_text IS NOT OLD.search_text BEGIN
	DELETE FROM partner_parts WHERE program_id IN (SELECT program_id FROM partner_programs WHERE partner_id = OLD.id) AND partner_id = OLD.id AND part IN (
		WITH RECURSIVE positions (text, position) AS (
			SELECT OLD.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT CASE unicode(substr(text, position, 1)) WHEN 10 THEN substr(text, position, 5) WHEN 9 THEN substr(text, position, 4)
			ELSE substr(text, position, min(3, instr(substr(text, position, 3) || char(10), char(10)) - 1)) END AS part FROM positions
	);
	INSERT INTO partner_parts (program_id, part, partner_id)
	SELECT program_id, part, NEW.id FROM partner_programs CROSS JOIN (
		WITH RECURSIVE positions (text, position) AS (
			SELECT NEW.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT CASE unicode(substr(text, position, 1)) WHEN 10 THEN substr(text, position, 5) WHEN 9 THEN substr(text, position, 4)
			ELSE substr(text, position, min(3, instr(substr(text, position, 3) || char(10), char(10)) - 1)) END AS part FROM positions
	)
	WHERE part <> '' AND partner_id = NEW.id
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
DROP TRIGGER referral_links_found;
--> statement-breakpoint
CREATE TRIGGER referral_links_found AFTER INSERT ON referral_links WHEN NEW.program_id IS NOT NULL BEGIN
	INSERT INTO link_parts (program_id, part, link_id)
	SELECT NEW.program_id, part, NEW.id FROM (
		WITH RECURSIVE positions (text, position) AS (
			SELECT NEW.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT CASE unicode(substr(text, position, 1)) WHEN 10 THEN substr(text, position, 5) WHEN 9 THEN substr(text, position, 4)
			ELSE substr(text, position, min(3, instr(substr(text, position, 3) || char(10), char(10)) - 1)) END AS part FROM positions
	)
	WHERE part <> ''
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
DROP TRIGGER referral_links_found_anew;
--> statement-breakpoint
CREATE TRIGGER referral_links_found_anew AFTER UPDATE OF search_text ON referral_links WHEN NEW.search_text IS NOT OLD.search_text AND NEW.program_id IS NOT NULL BEGIN
	DELETE FROM link_parts WHERE program_id = OLD.program_id AND link_id = OLD.id AND part IN (
		WITH RECURSIVE positions (text, position) AS (
			SELECT OLD.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT CASE unicode(substr(text, position, 1)) WHEN 10 THEN substr(text, position, 5) WHEN 9 THEN substr(text, position, 4)
			ELSE substr(text, position, min(3, instr(substr(text, position, 3) || char(10), char(10)) - 1)) END AS part FROM positions
	);
	INSERT INTO link_parts (program_id, part, link_id)
	SELECT NEW.program_id, part, NEW.id FROM (
		WITH RECURSIVE positions (text, position) AS (
			SELECT NEW.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT CASE unicode(substr(text, position, 1)) WHEN 10 THEN substr(text, position, 5) WHEN 9 THEN substr(text, position, 4)
			ELSE substr(text, position, min(3, instr(substr(text, position, 3) || char(10), char(10)) - 1)) END AS part FROM positions
	)
	WHERE part <> ''
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
DROP TRIGGER coupons_found;
--> statement-breakpoint
CREATE TRIGGER coupons_found AFTER INSERT ON coupons BEGIN
	INSERT INTO coupon_parts (program_id, part, coupon_id)
	SELECT NEW.program_id, part, NEW.id FROM (
		WITH RECURSIVE positions (text, position) AS (
			SELECT NEW.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT CASE unicode(substr(text, position, 1)) WHEN 10 THEN substr(text, position, 5) WHEN 9 THEN substr(text, position, 4)
			ELSE substr(text, position, min(3, instr(substr(text, position, 3) || char(10), char(10)) - 1)) END AS part FROM positions
	)
	WHERE part <> ''
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
DROP TRIGGER coupons_found_anew;
--> statement-breakpoint
CREATE TRIGGER coupons_found_anew AFTER UPDATE OF search_text ON coupons WHEN NEW.search_text IS NOT OLD.search_text BEGIN
	DELETE FROM coupon_parts WHERE program_id = OLD.program_id AND coupon_id = OLD.id AND part IN (
		WITH RECURSIVE positions (text, position) AS (
			SELECT OLD.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT CASE unicode(substr(text, position, 1)) WHEN 10 THEN substr(text, position, 5) WHEN 9 THEN substr(text, position, 4)
			ELSE substr(text, position, min(3, instr(substr(text, position, 3) || char(10), char(10)) - 1)) END AS part FROM positions
	);
	INSERT INTO coupon_parts (program_id, part, coupon_id)
	SELECT NEW.program_id, part, NEW.id FROM (
		WITH RECURSIVE positions (text, position) AS (
			SELECT NEW.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT CASE unicode(substr(text, position, 1)) WHEN 10 THEN substr(text, position, 5) WHEN 9 THEN substr(text, position, 4)
			ELSE substr(text, position, min(3, instr(substr(text, position, 3) || char(10), char(10)) - 1)) END AS part FROM positions
	)
	WHERE part <> ''
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
INSERT INTO partner_parts (program_id, part, partner_id)
SELECT program_id, part, id FROM (
	SELECT pp.program_id AS program_id, t.id AS id, substr(field.value, -length.value) AS part
	FROM partner_programs pp CROSS JOIN partners t ON t.id = pp.partner_id
		CROSS JOIN json_each(json_array(t.search_text, substr(t.search_text, 1, instr(substr(t.search_text, 2), char(10))))) AS field
		CROSS JOIN json_each('[1, 2]') AS length
	WHERE t.search_text IS NOT NULL
)
WHERE part <> '' AND unicode(part) NOT IN (9, 10)
ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO link_parts (program_id, part, link_id)
SELECT program_id, part, id FROM (
	SELECT t.program_id AS program_id, t.id AS id, substr(field.value, -length.value) AS part
	FROM referral_links t
		CROSS JOIN json_each(json_array(t.search_text, substr(t.search_text, 1, instr(substr(t.search_text, 2), char(10))))) AS field
		CROSS JOIN json_each('[1, 2]') AS length
	WHERE t.search_text IS NOT NULL AND t.program_id IS NOT NULL
)
WHERE part <> '' AND unicode(part) NOT IN (9, 10)
ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO coupon_parts (program_id, part, coupon_id)
SELECT program_id, part, id FROM (
	SELECT t.program_id AS program_id, t.id AS id, substr(field.value, -length.value) AS part
	FROM coupons t
		CROSS JOIN json_each(json_array(t.search_text, substr(t.search_text, 1, instr(substr(t.search_text, 2), char(10))))) AS field
		CROSS JOIN json_each('[1, 2]') AS length
	WHERE t.search_text IS NOT NULL
)
WHERE part <> '' AND unicode(part) NOT IN (9, 10)
ON CONFLICT DO NOTHING;
