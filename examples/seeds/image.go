package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // image.Decode reads what is imported
	_ "image/png"
	"maps"
	"slices"
	"strings"

	"github.com/cd3b852d/agentgen/agent"
)

const (
	maxPixels = 50_000_000 // a small file can claim to be an image that fills the memory
	maxSide   = 256        // so many pixels of a row, and so many rows, tell the colours well enough
	maxColors = 3
)

// ImageAnalyzerAgent tells the format, the size and the dominant colours of PNG and JPEG images.
//
//agent:register image-analyzer
//agent:description "Analyzes images and provides text descriptions"
//agent:input_content_types image/png image/jpeg
//agent:output_content_types text/plain application/json
func ImageAnalyzerAgent(_ context.Context, input []agent.Message) (agent.Message, error) {
	files, err := contents(input, func(mediaType string) bool { return strings.HasPrefix(mediaType, "image/") })
	if err != nil {
		return agent.Message{}, err
	}
	if len(files) == 0 {
		return agent.Message{}, invalid("an image is wanted: a part of type image/png or image/jpeg")
	}
	pictures := make([]Picture, len(files))
	texts := make([]string, len(files))
	for i, file := range files {
		if pictures[i], err = describeImage(file); err != nil {
			return agent.Message{}, err
		}
		texts[i] = pictures[i].String()
	}
	return report(strings.Join(texts, "\n"), pictures)
}

// A Picture is what can be said of an image without understanding it.
type Picture struct {
	Format string  `json:"format"` // png or jpeg
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Colors []Color `json:"colors"` // the dominant ones, the commonest first
}

// A Color is one of the dominant colours of an image.
type Color struct {
	Hex   string  `json:"hex"`
	Name  string  `json:"name"`
	Share float64 `json:"share"` // of the pixels that can be seen, 0 to 1
}

// String is the picture in words.
func (p Picture) String() string {
	s := fmt.Sprintf("%s image, %d × %d pixels", strings.ToUpper(p.Format), p.Width, p.Height)
	for i, c := range p.Colors {
		separator := ", "
		if i == 0 {
			separator = ": "
		}
		s += fmt.Sprintf("%s%s %s (%.0f %%)", separator, c.Name, c.Hex, 100*c.Share)
	}
	return s
}

func describeImage(file []byte) (Picture, error) {
	size, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return Picture{}, invalid("this is not a PNG or JPEG image: %v", err)
	}
	if size.Width*size.Height > maxPixels {
		return Picture{}, invalid("%d × %d pixels are too many, %d are allowed", size.Width, size.Height, maxPixels)
	}
	img, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return Picture{}, invalid("the %s image is damaged: %v", strings.ToUpper(format), err)
	}
	return Picture{Format: format, Width: size.Width, Height: size.Height, Colors: dominant(img)}, nil
}

// bucket gathers pixels of similar colour.
type bucket struct{ r, g, b, n int }

// dominant sorts pixels into 512 buckets of similar colours and takes the mean of the fullest.
func dominant(img image.Image) []Color {
	buckets := map[int]bucket{}
	seen := 0
	bounds := img.Bounds()
	stepX, stepY := 1+(bounds.Dx()-1)/maxSide, 1+(bounds.Dy()-1)/maxSide
	for y := bounds.Min.Y; y < bounds.Max.Y; y += stepY {
		for x := bounds.Min.X; x < bounds.Max.X; x += stepX {
			c := rgba(img.At(x, y))
			if c.A < 128 {
				continue
			}
			seen++
			key := int(c.R)>>5<<6 | int(c.G)>>5<<3 | int(c.B)>>5
			b := buckets[key]
			buckets[key] = bucket{b.r + int(c.R), b.g + int(c.G), b.b + int(c.B), b.n + 1}
		}
	}
	keys := slices.SortedFunc(maps.Keys(buckets), func(a, b int) int {
		return cmp.Or(cmp.Compare(buckets[b].n, buckets[a].n), cmp.Compare(a, b))
	})
	colors := []Color{}
	for _, key := range keys[:min(maxColors, len(keys))] {
		b := buckets[key]
		r, g, bl := b.r/b.n, b.g/b.n, b.b/b.n
		colors = append(colors, Color{
			Hex:   fmt.Sprintf("#%02x%02x%02x", r, g, bl),
			Name:  colorName(r, g, bl),
			Share: float64(b.n) / float64(seen),
		})
	}
	return colors
}

// rgba is the colour of a pixel with the transparency taken out.
func rgba(c color.Color) color.NRGBA {
	n, _ := color.NRGBAModel.Convert(c).(color.NRGBA)
	return n
}

// colorName is the everyday name of a colour: that of the nearest of a few.
func colorName(r, g, b int) string {
	best, nearest := "", 1<<30
	for _, c := range []struct {
		name    string
		r, g, b int
	}{
		{"black", 0, 0, 0},
		{"grey", 128, 128, 128},
		{"white", 255, 255, 255},
		{"red", 220, 20, 30},
		{"orange", 255, 140, 0},
		{"yellow", 250, 230, 30},
		{"green", 30, 150, 40},
		{"cyan", 0, 200, 220},
		{"blue", 20, 50, 230},
		{"purple", 130, 30, 150},
		{"pink", 255, 130, 190},
		{"brown", 120, 70, 30},
	} {
		if d := (r-c.r)*(r-c.r) + (g-c.g)*(g-c.g) + (b-c.b)*(b-c.b); d < nearest {
			best, nearest = c.name, d
		}
	}
	return best
}
