package report

import "strconv"

// A store holds the tables that the page unfolds on demand. Shapes of one fabric say much the
// same, so each text is in it once and rows are numbers: a thousand shapes fit into 5 MB.
type store struct {
	Texts  []string  `json:"texts"`
	Tables [][][]int `json:"tables"` // rows of indices of texts

	at   map[string]int // of Texts
	same map[string]int // of Tables, by their rows
}

func newStore() *store {
	return &store{Texts: []string{}, Tables: [][][]int{}, at: map[string]int{}, same: map[string]int{}}
}

// table keeps rows and returns their number.
func (s *store) table(rows [][]string) int {
	numbers := make([][]int, len(rows))
	var key []byte
	for i, row := range rows {
		for _, text := range row {
			n := s.text(text)
			numbers[i] = append(numbers[i], n)
			key = append(strconv.AppendInt(key, int64(n), 10), ' ')
		}
		key = append(key, '\n')
	}
	n, known := s.same[string(key)]
	if !known {
		n = len(s.Tables)
		s.same[string(key)] = n
		s.Tables = append(s.Tables, numbers)
	}
	return n
}

func (s *store) text(text string) int {
	n, known := s.at[text]
	if !known {
		n = len(s.Texts)
		s.at[text] = n
		s.Texts = append(s.Texts, text)
	}
	return n
}
