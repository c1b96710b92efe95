-- Until now, a day without a file was deleted as a whole.
UPDATE retired_click_days SET deleted = clicks WHERE files = 0;
