package trace

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"headroom/sensors"
)

// Columns are what a table has beside the readings: a cell of each name for every sample.
type Columns struct {
	Names []string
	Cells func(sample int, s sensors.Sample) ([]string, error)
}

// maxReadings bounds a table's width: far above any machine's, and what spreadsheets take.
const maxReadings = 4000

// csvTime is how spreadsheets know a time.
const csvTime = "2006-01-02 15:04:05.000"

// CSV writes the recording as a table for spreadsheets: a row for each sample, with its time, the marks since the row
// before, the columns given, and a column for each reading that ever occurs. A number that is not known is an empty cell.
func (r *Recording) CSV(ctx context.Context, w io.Writer, c Columns) error {
	ids, names, err := r.readingColumns(ctx)
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	row := append([]string{"time", "seconds", "mark"}, c.Names...)
	if err := out.Write(append(row, names...)); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	marks := r.Marks()
	for i := range r.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, offset, err := r.At(i)
		if err != nil {
			continue
		}
		row = append(row[:0], s.Time.Format(csvTime), strconv.FormatFloat(offset.Seconds(), 'f', -1, 64))
		var texts []string
		for len(marks) > 0 && marks[0].Offset <= offset {
			texts = append(texts, inert(marks[0].Text))
			marks = marks[1:]
		}
		row = append(row, strings.Join(texts, "; "))
		cells, err := c.Cells(i, s)
		if err != nil {
			return err
		}
		row = append(row, cells...)
		first := len(row)
		row = append(row, make([]string, len(names))...)
		for _, x := range sensors.Readings(s) {
			if at, ok := ids[x.ID]; ok && x.Usable() {
				row[first+at] = strconv.FormatFloat(x.Value.Or(0), 'f', -1, 64)
			}
		}
		if err := out.Write(row); err != nil {
			return fmt.Errorf("write the table: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return nil
}

// readingColumns finds a column for each reading of the recording, in the order in which they first occur.
func (r *Recording) readingColumns(ctx context.Context) (ids map[string]int, names []string, err error) {
	ids = map[string]int{}
	for i := range r.Len() {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		s, _, err := r.At(i)
		if err != nil {
			continue
		}
		for _, x := range sensors.Readings(s) {
			if _, known := ids[x.ID]; known || !x.Usable() || len(names) == maxReadings {
				continue
			}
			ids[x.ID] = len(names)
			name := x.ID
			if x.Unit != sensors.Count {
				name += " (" + string(x.Unit) + ")"
			}
			names = append(names, inert(name))
		}
	}
	return ids, names, nil
}

// inert keeps a spreadsheet from taking a text of the recording for a formula.
func inert(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
